set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Page walks at a time, SharedTLB (figure 5)' noenhanced
set ylabel 'concurrent walks, mean' noenhanced
set xrange [0:1040]
set yrange [0:29.7469]
set xtics rotate by -45 noenhanced scale 0 ('BFS2' 29, 'FFT' 73, 'HISTO' 117, 'NW' 161, 'QTC' 205, 'RAY' 249, 'SAD' 293, 'SCP' 337, '3DS' 381, 'BLK' 425, 'CFD' 469, 'CONS' 513, 'FWT' 557, 'LUH' 601, 'MM' 645, 'MUM' 689, 'RED' 733, 'SC' 777, 'SCAN' 821, 'SRAD' 865, 'TRD' 909, 'most' 996)
set label '0.0531' at 29,0.0531336 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '14.2' at 73,14.1653 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.65' at 117,3.65485 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '14.6' at 161,14.5734 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '20.6' at 205,20.6315 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.00791' at 249,0.0079148 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.359' at 293,0.359402 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '11.5' at 337,11.4959 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '5.09' at 381,5.09181 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '18.9' at 425,18.8718 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.39' at 469,6.38567 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '4.22' at 513,4.22411 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.06' at 557,8.06075 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '16.2' at 601,16.1519 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.61' at 645,8.61032 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.931' at 689,0.930866 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0484' at 733,0.0483834 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '24.1' at 777,24.068 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0701' at 821,0.0701464 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '8.2' at 865,8.20006 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '5.41' at 909,5.40562 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '> 20' at 981,20 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '24.1' at 1011,24.068 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0952381
set rmargin at screen 0.979592
set terminal svg size 1176,495
set output 'mask-fig5.svg'
plot 'mask-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 1176,495
set output 'mask-fig5.png'
plot 'mask-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
