set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Page walks at a time, SharedTLB (figure 5)' noenhanced
set ylabel 'concurrent walks, mean' noenhanced
set xrange [0:1040]
set yrange [0:150.965]
set xtics rotate by -45 noenhanced scale 0 ('BFS2' 29, 'FFT' 73, 'HISTO' 117, 'NW' 161, 'QTC' 205, 'RAY' 249, 'SAD' 293, 'SCP' 337, '3DS' 381, 'BLK' 425, 'CFD' 469, 'CONS' 513, 'FWT' 557, 'LUH' 601, 'MM' 645, 'MUM' 689, 'RED' 733, 'SC' 777, 'SCAN' 821, 'SRAD' 865, 'TRD' 909, 'most' 996)
set label '0.0887' at 29,0.088653 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '40.2' at 73,40.1617 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '4.07' at 117,4.07335 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '59.3' at 161,59.2709 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '122' at 205,122.144 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.00809' at 249,0.008087 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.363' at 293,0.363036 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '24' at 337,24.0045 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.44' at 381,6.44119 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '104' at 425,104.225 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '12.2' at 469,12.2422 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '26.5' at 513,26.5499 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '20.6' at 557,20.636 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '66.2' at 601,66.2061 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.2' at 645,3.20456 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '27.2' at 689,27.1924 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0497' at 733,0.04968 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '22.6' at 777,22.5596 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0725' at 821,0.07247 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '29.2' at 865,29.1519 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '79.8' at 909,79.8112 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '> 20' at 981,20 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '122' at 1011,122.144 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0952381
set rmargin at screen 0.979592
set terminal svg size 1176,495
set output 'mask-fig5.svg'
plot 'mask-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 1176,495
set output 'mask-fig5.png'
plot 'mask-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
