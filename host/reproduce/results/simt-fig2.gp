set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Order of walks: speedup over random (figure 2)' noenhanced
set ylabel 'speedup over random [%]' noenhanced
set xrange [0:1278]
set yrange [-10.8731:127.16]
set xtics noenhanced scale 0 ('XSBench' 88, 'MVT' 238, 'ATAX' 388, 'NW' 538, 'BICG' 688, 'GESUMMV' 838, 'geomean' 1040, 'most' 1190)
set label '-2.5 %' at 57,-2.50751 noenhanced font ',9' center offset 0,-0.6
set label '+118.8 %' at 119,118.794 noenhanced font ',9' center offset 0,0.6
set label '+6.1 %' at 207,6.11775 noenhanced font ',9' center offset 0,0.6
set label '+3.6 %' at 269,3.61461 noenhanced font ',9' center offset 0,0.6
set label '+6.2 %' at 357,6.2257 noenhanced font ',9' center offset 0,0.6
set label '+3.1 %' at 419,3.14556 noenhanced font ',9' center offset 0,0.6
set label '+7.8 %' at 507,7.76687 noenhanced font ',9' center offset 0,0.6
set label '+7.8 %' at 569,7.82482 noenhanced font ',9' center offset 0,0.6
set label '+6.0 %' at 657,5.98677 noenhanced font ',9' center offset 0,0.6
set label '+3.7 %' at 719,3.69038 noenhanced font ',9' center offset 0,0.6
set label '+6.4 %' at 807,6.41304 noenhanced font ',9' center offset 0,0.6
set label '+3.2 %' at 869,3.17139 noenhanced font ',9' center offset 0,0.6
set label '+4.9 %' at 1009,4.94155 noenhanced font ',9' center offset 0,0.6
set label '+18.0 %' at 1071,17.9818 noenhanced font ',9' center offset 0,0.6
set label '> 2.1x' at 1159,110 noenhanced font ',9' center offset 0,0.6
set label '2.19x' at 1221,118.794 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0792079
set rmargin at screen 0.983027
set terminal svg size 1414,440
set output 'simt-fig2.svg'
plot 'simt-fig2.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig2.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs', 'simt-fig2.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'simt'
set terminal png size 1414,440
set output 'simt-fig2.png'
plot 'simt-fig2.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig2.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs', 'simt-fig2.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'simt'
