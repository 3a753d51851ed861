set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Walks served by the other tenant''s walkers (table VI)' noenhanced
set ylabel 'part of the tenant''s walks [%]' noenhanced
set xrange [0:1334]
set yrange [0:37.471]
set xtics noenhanced scale 0 ('HL, tenant 1' 122, 'HL, tenant 2' 340, 'HM, tenant 1' 558, 'HM, tenant 2' 776, 'HH, tenant 1' 994, 'HH, tenant 2' 1212)
set label '34.5 %' at 50,34.5 noenhanced font ',9' center offset 0,0.6
set label '26.0 %' at 98,25.9743 noenhanced font ',9' center offset 0,0.6
set label '35.2 %' at 146,35.2 noenhanced font ',9' center offset 0,0.6
set label '26.8 %' at 194,26.7637 noenhanced font ',9' center offset 0,0.6
set label '0.8 %' at 268,0.8 noenhanced font ',9' center offset 0,0.6
set label '9.4 %' at 316,9.35544 noenhanced font ',9' center offset 0,0.6
set label '0.8 %' at 364,0.8 noenhanced font ',9' center offset 0,0.6
set label '9.4 %' at 412,9.37672 noenhanced font ',9' center offset 0,0.6
set label '26.3 %' at 486,26.3 noenhanced font ',9' center offset 0,0.6
set label '20.5 %' at 534,20.5407 noenhanced font ',9' center offset 0,0.6
set label '30.1 %' at 582,30.1 noenhanced font ',9' center offset 0,0.6
set label '27.3 %' at 630,27.267 noenhanced font ',9' center offset 0,0.6
set label '1.1 %' at 704,1.1 noenhanced font ',9' center offset 0,0.6
set label '8.7 %' at 752,8.68125 noenhanced font ',9' center offset 0,0.6
set label '1.1 %' at 800,1.1 noenhanced font ',9' center offset 0,0.6
set label '8.9 %' at 848,8.88168 noenhanced font ',9' center offset 0,0.6
set label '7.2 %' at 922,7.2 noenhanced font ',9' center offset 0,0.6
set label '9.8 %' at 970,9.77749 noenhanced font ',9' center offset 0,0.6
set label '8.7 %' at 1018,8.7 noenhanced font ',9' center offset 0,0.6
set label '10.0 %' at 1066,10.0489 noenhanced font ',9' center offset 0,0.6
set label '0.8 %' at 1140,0.8 noenhanced font ',9' center offset 0,0.6
set label '16.7 %' at 1188,16.726 noenhanced font ',9' center offset 0,0.6
set label '1.3 %' at 1236,1.3 noenhanced font ',9' center offset 0,0.6
set label '16.7 %' at 1284,16.7195 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0761905
set rmargin at screen 0.983673
set terminal svg size 1470,440
set output 'dws-table6.svg'
plot 'dws-table6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-table6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-table6.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
set terminal png size 1470,440
set output 'dws-table6.png'
plot 'dws-table6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-table6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-table6.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
