set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Walk latency of the second tenant over that alone (figure 8)' noenhanced
set ylabel 'latency together / alone' noenhanced
set xrange [0:680]
set yrange [0:6.3871]
set xtics noenhanced scale 0 ('HL' 122, 'HM' 340, 'HH' 558)
set label '5..6 x' at 50,6 noenhanced font ',9' center offset 0,0.6
set label '2.59x' at 98,2.58629 noenhanced font ',9' center offset 0,0.6
set label '0.974' at 146,0.974234 noenhanced font ',9' center offset 0,0.6
set label '1.17' at 194,1.17324 noenhanced font ',9' center offset 0,0.6
set label '5..6 x' at 268,6 noenhanced font ',9' center offset 0,0.6
set label '3.30x' at 316,3.29759 noenhanced font ',9' center offset 0,0.6
set label '1.07' at 364,1.06572 noenhanced font ',9' center offset 0,0.6
set label '1.73' at 412,1.7347 noenhanced font ',9' center offset 0,0.6
set label '5..6 x' at 486,6 noenhanced font ',9' center offset 0,0.6
set label '1.05x' at 534,1.04503 noenhanced font ',9' center offset 0,0.6
set label '0.668' at 582,0.667597 noenhanced font ',9' center offset 0,0.6
set label '0.67' at 630,0.670074 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.137255
set rmargin at screen 0.970588
set terminal svg size 816,440
set output 'dws-fig8.svg'
plot 'dws-fig8.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig8.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-fig8.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig8.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
set terminal png size 816,440
set output 'dws-fig8.png'
plot 'dws-fig8.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig8.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-fig8.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig8.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
