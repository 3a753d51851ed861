set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'DRAM latency of walks over that of data per pair, SharedTLB (figure 9)' noenhanced
set ylabel 'latency of walks / latency of data' noenhanced
set xrange [0:1434.65]
set yrange [0:1.27295]
set xtics rotate by -45 noenhanced scale 0 ('BFS2+BP' 26, 'FFT+GUP' 64, 'HISTO+HS' 102, 'NW+LPS' 140, 'QTC+BP' 178, 'RAY+GUP' 216, 'SAD+HS' 254, 'SCP+LPS' 292, 'LUD+BFS2' 330, 'NN+FFT' 368, 'BP+HS' 406, '3DS+HISTO' 444, 'RED+BP' 482, 'RED+RAY' 520, 'SCAN+HISTO' 558, 'SCAN+SAD' 596, 'BLK+BFS2' 634, 'CFD+FFT' 672, 'CONS+NW' 710, 'FWT+QTC' 748, 'LUH+SCP' 786, 'MM+GUP' 824, 'MUM+HS' 862, 'MM+CONS' 900, 'SCAN+CONS' 938, 'SCAN+SRAD' 976, 'SC+FWT' 1014, '3DS+BLK' 1052, 'CFD+LUH' 1090, 'MUM+RED' 1128, 'TRD+3DS' 1166, 'BLK+SC' 1204, 'LUH+MM' 1242, 'RED+TRD' 1280, 'SRAD+CFD' 1318, 'geomean' 1396.32)
set label '> 1' at 1384.16,1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.867' at 1408.49,0.867352 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0713081
set rmargin at screen 0.98472
set terminal svg size 1571,532
set output 'mask-fig9.svg'
plot 'mask-fig9.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig9.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 1571,532
set output 'mask-fig9.png'
plot 'mask-fig9.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig9.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
