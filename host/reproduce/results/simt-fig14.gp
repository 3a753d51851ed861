set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'simt over fcfs by the size of the walk buffer (figure 14)' noenhanced
set ylabel 'speedup over fcfs [%]' noenhanced
set xrange [0:1252]
set yrange [-17.1932:184.371]
set xtics noenhanced scale 0 ('XSBench' 88, 'MVT' 238, 'ATAX' 388, 'NW' 538, 'BICG' 688, 'GESUMMV' 838, 'geomean' 1102)
set label '+60.2 %' at 57,60.2336 noenhanced font ',9' center offset 0,0.6
set label '+142.5 %' at 119,142.52 noenhanced font ',9' center offset 0,0.6
set label '-3.0 %' at 207,-2.99397 noenhanced font ',9' center offset 0,-0.6
set label '+140.3 %' at 269,140.293 noenhanced font ',9' center offset 0,0.6
set label '-3.3 %' at 357,-3.25512 noenhanced font ',9' center offset 0,-0.6
set label '-4.8 %' at 419,-4.83194 noenhanced font ',9' center offset 0,-0.6
set label '-1.5 %' at 507,-1.53245 noenhanced font ',9' center offset 0,-0.6
set label '+5.0 %' at 569,5.04071 noenhanced font ',9' center offset 0,0.6
set label '-3.1 %' at 657,-3.06948 noenhanced font ',9' center offset 0,-0.6
set label '+172.2 %' at 719,172.155 noenhanced font ',9' center offset 0,0.6
set label '-3.1 %' at 807,-3.08635 noenhanced font ',9' center offset 0,-0.6
set label '-5.0 %' at 869,-4.9772 noenhanced font ',9' center offset 0,-0.6
set label '+13 %' at 1009,13 noenhanced font ',9' center offset 0,0.6
set label '+5.5 %' at 1071,5.50949 noenhanced font ',9' center offset 0,0.6
set label '+50 %' at 1133,50 noenhanced font ',9' center offset 0,0.6
set label '+57.1 %' at 1195,57.1446 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0806916
set rmargin at screen 0.982709
set terminal svg size 1388,440
set output 'simt-fig14.svg'
plot 'simt-fig14.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig14.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '128 walks (a)', 'simt-fig14.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '512 walks (b)'
set terminal png size 1388,440
set output 'simt-fig14.png'
plot 'simt-fig14.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig14.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '128 walks (a)', 'simt-fig14.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '512 walks (b)'
