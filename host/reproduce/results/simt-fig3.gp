set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Memory accesses for the walks of an instruction, fcfs (figure 3)' noenhanced
set ylabel 'part of the instructions that walk [%]' noenhanced
set xrange [0:814]
set yrange [0:123.585]
set xtics noenhanced scale 0 ('XSBench' 44, 'MVT' 118, 'ATAX' 192, 'NW' 266, 'BICG' 340, 'GESUMMV' 444, 'least' 606, 'most' 740)
set label '45.0 %' at 29,44.9636 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '7.1 %' at 59,7.09839 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '15.2 %' at 103,15.2291 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '84.6 %' at 133,84.6302 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '11.9 %' at 177,11.9025 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '88.1 %' at 207,88.0975 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '100.0 %' at 251,99.9917 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0 %' at 281,0 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '17.0 %' at 325,16.9905 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '82.9 %' at 355,82.9068 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '16.2 %' at 399,16.1956 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '83.8 %' at 429,83.8044 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '31 %' at 459,31 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.5 %' at 489,0.511023 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '27 %' at 561,27 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '11.9 %' at 591,11.9025 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '33 %' at 621,33 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0 %' at 651,0 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '61 %' at 695,61 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '100.0 %' at 725,99.9917 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '70 %' at 755,70 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '88.1 %' at 785,88.0975 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.117895
set rmargin at screen 0.974737
set terminal svg size 950,440
set output 'simt-fig3.svg'
plot 'simt-fig3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '1-16 accesses', 'simt-fig3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '49 or more', 'simt-fig3.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title '65 or more'
set terminal png size 950,440
set output 'simt-fig3.png'
plot 'simt-fig3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '1-16 accesses', 'simt-fig3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '49 or more', 'simt-fig3.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title '65 or more'
