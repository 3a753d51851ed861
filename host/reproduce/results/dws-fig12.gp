set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'DWS over baseline with the same resources (figure 12)' noenhanced
set ylabel 'total IPC over baseline [%]' noenhanced
set xrange [0:926]
set yrange [0:79.5333]
set xtics noenhanced scale 0 ('12 walkers' 81, '24 walkers' 217, '32 walkers' 353, '2048 entries' 544, '4096 entries' 790)
set label 'higher' at 53.5,0 noenhanced font ',9' center offset 0,0.6
set label '+67.1 %' at 108.5,67.1377 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 189.5,0 noenhanced font ',9' center offset 0,0.6
set label '+32.8 %' at 244.5,32.8291 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 325.5,0 noenhanced font ',9' center offset 0,0.6
set label '+22.5 %' at 380.5,22.5364 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 461.5,0 noenhanced font ',9' center offset 0,0.6
set label '+39.1 %' at 516.5,39.0876 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 571.5,0 noenhanced font ',9' center offset 0,0.6
set label '+35.2 %' at 626.5,35.2236 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 707.5,0 noenhanced font ',9' center offset 0,0.6
set label '+32.5 %' at 762.5,32.5416 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 817.5,0 noenhanced font ',9' center offset 0,0.6
set label '+74.7 %' at 872.5,74.7131 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.105461
set rmargin at screen 0.977401
set terminal svg size 1062,440
set output 'dws-fig12.svg'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig12.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'HL and HM', 'dws-fig12.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'HH'
set terminal png size 1062,440
set output 'dws-fig12.png'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig12.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'HL and HM', 'dws-fig12.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'HH'
