set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'One to five applications (table 3)' noenhanced
set ylabel 'weighted speedup, part of Ideal''s [%]' noenhanced
set xrange [0:1116]
set yrange [0:81.7548]
set xtics noenhanced scale 0 ('1 application' 122, '2' 340, '3' 558, '4' 776, '5' 994)
set label '47.1 %' at 50,47.1 noenhanced font ',9' center offset 0,0.6
set label '55.2 %' at 98,55.1565 noenhanced font ',9' center offset 0,0.6
set label '68.5 %' at 146,68.5 noenhanced font ',9' center offset 0,0.6
set label '54.9 %' at 194,54.8738 noenhanced font ',9' center offset 0,0.6
set label '48.7 %' at 268,48.7 noenhanced font ',9' center offset 0,0.6
set label '60.5 %' at 316,60.5302 noenhanced font ',9' center offset 0,0.6
set label '76.8 %' at 364,76.8 noenhanced font ',9' center offset 0,0.6
set label '61.5 %' at 412,61.4808 noenhanced font ',9' center offset 0,0.6
set label '38.8 %' at 486,38.8 noenhanced font ',9' center offset 0,0.6
set label '57.9 %' at 534,57.902 noenhanced font ',9' center offset 0,0.6
set label '62.3 %' at 582,62.3 noenhanced font ',9' center offset 0,0.6
set label '61.5 %' at 630,61.5155 noenhanced font ',9' center offset 0,0.6
set label '34.2 %' at 704,34.2 noenhanced font ',9' center offset 0,0.6
set label '51.3 %' at 752,51.2628 noenhanced font ',9' center offset 0,0.6
set label '55.0 %' at 800,55 noenhanced font ',9' center offset 0,0.6
set label '52.7 %' at 848,52.7364 noenhanced font ',9' center offset 0,0.6
set label '33.1 %' at 922,33.1 noenhanced font ',9' center offset 0,0.6
set label '53.4 %' at 970,53.3759 noenhanced font ',9' center offset 0,0.6
set label '52.9 %' at 1018,52.9 noenhanced font ',9' center offset 0,0.6
set label '56.1 %' at 1066,56.1101 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0894569
set rmargin at screen 0.980831
set terminal svg size 1252,440
set output 'mask-table3.svg'
plot 'mask-table3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB', 'mask-table3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK'
set terminal png size 1252,440
set output 'mask-table3.png'
plot 'mask-table3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB', 'mask-table3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK'
