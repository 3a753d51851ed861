set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Stall cycles over fcfs (figure 9)' noenhanced
set ylabel 'stall cycles over fcfs [%]' noenhanced
set xrange [0:836]
set yrange [-60.0712:8.29378]
set xtics noenhanced scale 0 ('XSBench' 53.5, 'MVT' 134.5, 'ATAX' 215.5, 'NW' 296.5, 'BICG' 377.5, 'GESUMMV' 458.5, 'geomean' 619, 'least' 755)
set label '-55.9 %' at 53.5,-55.9279 noenhanced font ',9' center offset 0,-0.6
set label '+2.4 %' at 134.5,2.43127 noenhanced font ',9' center offset 0,0.6
set label '+3.0 %' at 215.5,2.9979 noenhanced font ',9' center offset 0,0.6
set label '+4.2 %' at 296.5,4.15045 noenhanced font ',9' center offset 0,0.6
set label '+2.2 %' at 377.5,2.23416 noenhanced font ',9' center offset 0,0.6
set label '+3.2 %' at 458.5,3.15095 noenhanced font ',9' center offset 0,0.6
set label '-23 %' at 591.5,-23 noenhanced font ',9' center offset 0,-0.6
set label '-10.6 %' at 646.5,-10.5972 noenhanced font ',9' center offset 0,-0.6
set label '-29 %' at 727.5,-29 noenhanced font ',9' center offset 0,-0.6
set label '-55.9 %' at 782.5,-55.9279 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.115226
set rmargin at screen 0.975309
set terminal svg size 972,440
set output 'simt-fig9.svg'
plot 'simt-fig9.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig9.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
set terminal png size 972,440
set output 'simt-fig9.png'
plot 'simt-fig9.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig9.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
