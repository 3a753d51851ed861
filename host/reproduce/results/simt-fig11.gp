set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Page walks over fcfs (figure 11)' noenhanced
set ylabel 'walks per instruction over fcfs [%]' noenhanced
set xrange [0:836]
set yrange [-61.9549:4.1336]
set xtics noenhanced scale 0 ('XSBench' 53.5, 'MVT' 134.5, 'ATAX' 215.5, 'NW' 296.5, 'BICG' 377.5, 'GESUMMV' 458.5, 'geomean' 619, 'least' 755)
set label '-57.9 %' at 53.5,-57.9495 noenhanced font ',9' center offset 0,-0.6
set label '-0.2 %' at 134.5,-0.160829 noenhanced font ',9' center offset 0,-0.6
set label '+0.1 %' at 215.5,0.12824 noenhanced font ',9' center offset 0,0.6
set label '-5.8 %' at 296.5,-5.77711 noenhanced font ',9' center offset 0,-0.6
set label '-0.3 %' at 377.5,-0.28357 noenhanced font ',9' center offset 0,-0.6
set label '+0.1 %' at 458.5,0.0835787 noenhanced font ',9' center offset 0,0.6
set label '-21 %' at 591.5,-21 noenhanced font ',9' center offset 0,-0.6
set label '-14.3 %' at 646.5,-14.3334 noenhanced font ',9' center offset 0,-0.6
set label '-30 %' at 727.5,-30 noenhanced font ',9' center offset 0,-0.6
set label '-57.9 %' at 782.5,-57.9495 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.115226
set rmargin at screen 0.975309
set terminal svg size 972,440
set output 'simt-fig11.svg'
plot 'simt-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
set terminal png size 972,440
set output 'simt-fig11.png'
plot 'simt-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
