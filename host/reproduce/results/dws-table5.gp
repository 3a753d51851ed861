set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Walks of the other tenant that a walk waits for (tables III and V)' noenhanced
set ylabel 'foreign walks waited for' noenhanced
set logscale y
set xrange [0:998]
set yrange [0.001:709.19]
set xtics noenhanced scale 0 ('LL' 89, 'ML' 253, 'MM' 417, 'HL' 581, 'HM' 745, 'HH' 909)
set label '0.03' at 26.5,0.03 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.59' at 51.5,3.59278 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.005' at 76.5,0.005 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0611' at 101.5,0.0610645 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.005' at 126.5,0.005 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0612' at 151.5,0.0612081 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.6' at 190.5,1.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '4.15' at 215.5,4.1543 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.07' at 240.5,0.07 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0684' at 265.5,0.0683854 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.07' at 290.5,0.07 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0712' at 315.5,0.0711805 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '2.4' at 354.5,2.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.74' at 379.5,6.74255 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.11' at 404.5,0.11 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0356' at 429.5,0.0355767 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.11' at 454.5,0.11 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0502' at 479.5,0.0501927 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '42' at 518.5,42 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '49.6' at 543.5,49.5667 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.23' at 568.5,0.23 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.105' at 593.5,0.105269 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.30' at 618.5,0.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.267' at 643.5,0.267194 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '44' at 682.5,44 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '57.6' at 707.5,57.5764 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.16' at 732.5,0.16 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0578' at 757.5,0.0578475 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.31' at 782.5,0.31 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.576' at 807.5,0.575603 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '72' at 846.5,72 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '72.1' at 871.5,72.0952 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.02' at 896.5,0.02 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0285' at 921.5,0.0285417 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.06' at 946.5,0.06 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0357' at 971.5,0.0356713 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0987654
set rmargin at screen 0.978836
set terminal svg size 1134,440
set output 'dws-table5.svg'
plot 'dws-table5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-table5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-table5.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-table5.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
set terminal png size 1134,440
set output 'dws-table5.png'
plot 'dws-table5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-table5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-table5.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-table5.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
