set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Fairness over baseline where the text names it (figures 6 and 10a)' noenhanced
set ylabel 'fairness over baseline [%]' noenhanced
set xrange [0:1200]
set yrange [0:151.794]
set xtics noenhanced scale 0 ('BLK.3DS' 88, 'GUPS.3DS' 238, 'SAD.QTC' 388, 'SAD.3DS' 538, 'BLK.LIB' 688, 'HH' 900, 'all 45' 1112)
set label 'lower' at 57,0 noenhanced font ',9' center offset 0,0.6
set label '+134.8 %' at 119,134.812 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 207,0 noenhanced font ',9' center offset 0,0.6
set label '+137.0 %' at 269,136.993 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 357,0 noenhanced font ',9' center offset 0,0.6
set label '+7.4 %' at 419,7.42003 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 507,0 noenhanced font ',9' center offset 0,0.6
set label '0.0 %' at 569,0.0313091 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 657,0 noenhanced font ',9' center offset 0,0.6
set label '+142.6 %' at 719,142.595 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 807,0 noenhanced font ',9' center offset 0,0.6
set label '+7.5 %' at 869,7.52725 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 931,0 noenhanced font ',9' center offset 0,0.6
set label '+10.3 %' at 993,10.2581 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 1081,0 noenhanced font ',9' center offset 0,0.6
set label '+35.3 %' at 1143,35.2942 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0838323
set rmargin at screen 0.982036
set terminal svg size 1336,440
set output 'dws-fig6-10a.svg'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig6-10a.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig6-10a.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
set terminal png size 1336,440
set output 'dws-fig6-10a.png'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig6-10a.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig6-10a.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
