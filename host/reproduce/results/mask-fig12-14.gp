set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup over SharedTLB per pair (figures 12-14)' noenhanced
set ylabel 'weighted speedup over SharedTLB [%]' noenhanced
set xrange [0:1647]
set yrange [-183.549:742.048]
set xtics rotate by -45 noenhanced scale 0 ('BFS2+BP' 25.5, 'FFT+GUP' 68.5, 'HISTO+HS' 111.5, 'NW+LPS' 154.5, 'QTC+BP' 197.5, 'RAY+GUP' 240.5, 'SAD+HS' 283.5, 'SCP+LPS' 326.5, 'LUD+BFS2' 369.5, 'NN+FFT' 412.5, 'BP+HS' 455.5, '3DS+HISTO' 498.5, 'RED+BP' 541.5, 'RED+RAY' 584.5, 'SCAN+HISTO' 627.5, 'SCAN+SAD' 670.5, 'BLK+BFS2' 713.5, 'CFD+FFT' 756.5, 'CONS+NW' 799.5, 'FWT+QTC' 842.5, 'LUH+SCP' 885.5, 'MM+GUP' 928.5, 'MUM+HS' 971.5, 'MM+CONS' 1014.5, 'SCAN+CONS' 1057.5, 'SCAN+SRAD' 1100.5, 'SC+FWT' 1143.5, '3DS+BLK' 1186.5, 'CFD+LUH' 1229.5, 'MUM+RED' 1272.5, 'TRD+3DS' 1315.5, 'BLK+SC' 1358.5, 'LUH+MM' 1401.5, 'RED+TRD' 1444.5, 'SRAD+CFD' 1487.5, 'geomean' 1584)
set label '+43.6 %' at 1551.5,43.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-0.2 %' at 1566.5,-0.150577 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+22.7 %' at 1581.5,22.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.4 %' at 1596.5,1.41457 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+57.8 %' at 1611.5,57.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.6 %' at 1626.5,1.5706 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0628155
set rmargin at screen 0.98654
set terminal svg size 1783,532
set output 'mask-fig12-14.svg'
plot 'mask-fig12-14.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig12-14.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig12-14.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig12-14.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-TLB', 'mask-fig12-14.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-Cache', 'mask-fig12-14.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK-DRAM', 'mask-fig12-14.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'mask-fig12-14.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'Ideal'
set terminal png size 1783,532
set output 'mask-fig12-14.png'
plot 'mask-fig12-14.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig12-14.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig12-14.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig12-14.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-TLB', 'mask-fig12-14.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-Cache', 'mask-fig12-14.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK-DRAM', 'mask-fig12-14.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'mask-fig12-14.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'Ideal'
