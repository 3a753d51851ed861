set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Baselines below Ideal per pair (figure 3)' noenhanced
set ylabel 'weighted speedup over Ideal [%]' noenhanced
set xrange [0:1532.97]
set yrange [-106.586:6.67013]
set xtics rotate by -45 noenhanced scale 0 ('BFS2+BP' 27.027, 'FFT+GUP' 67.5676, 'HISTO+HS' 108.108, 'NW+LPS' 148.649, 'QTC+BP' 189.189, 'RAY+GUP' 229.73, 'SAD+HS' 270.27, 'SCP+LPS' 310.811, 'LUD+BFS2' 351.351, 'NN+FFT' 391.892, 'BP+HS' 432.432, '3DS+HISTO' 472.973, 'RED+BP' 513.514, 'RED+RAY' 554.054, 'SCAN+HISTO' 594.595, 'SCAN+SAD' 635.135, 'BLK+BFS2' 675.676, 'CFD+FFT' 716.216, 'CONS+NW' 756.757, 'FWT+QTC' 797.297, 'LUH+SCP' 837.838, 'MM+GUP' 878.378, 'MUM+HS' 918.919, 'MM+CONS' 959.459, 'SCAN+CONS' 1000, 'SCAN+SRAD' 1040.54, 'SC+FWT' 1081.08, '3DS+BLK' 1121.62, 'CFD+LUH' 1162.16, 'MUM+RED' 1202.7, 'TRD+3DS' 1243.24, 'BLK+SC' 1283.78, 'LUH+MM' 1324.32, 'RED+TRD' 1364.86, 'SRAD+CFD' 1405.41, 'geomean' 1489.46)
set label '-45.0 %' at 1466.96,-45 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-31.7 %' at 1481.96,-31.7023 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-40.6 %' at 1496.96,-40.6 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-39.5 %' at 1511.96,-39.4698 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set lmargin at screen 0.0671071
set rmargin at screen 0.98562
set terminal svg size 1669,532
set output 'mask-fig3.svg'
plot 'mask-fig3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-fig3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB'
set terminal png size 1669,532
set output 'mask-fig3.png'
plot 'mask-fig3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-fig3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB'
