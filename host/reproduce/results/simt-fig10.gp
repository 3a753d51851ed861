set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Gap between an instruction''s first and last walk over fcfs (figure 10)' noenhanced
set ylabel 'latency gap over fcfs [%]' noenhanced
set xrange [0:700]
set yrange [-61.5905:62.4565]
set xtics noenhanced scale 0 ('XSBench' 53.5, 'MVT' 134.5, 'ATAX' 215.5, 'NW' 296.5, 'BICG' 377.5, 'GESUMMV' 458.5, 'geomean' 619)
set label '-54.1 %' at 53.5,-54.0725 noenhanced font ',9' center offset 0,-0.6
set label '-15.4 %' at 134.5,-15.4101 noenhanced font ',9' center offset 0,-0.6
set label '-16.6 %' at 215.5,-16.5726 noenhanced font ',9' center offset 0,-0.6
set label '+54.9 %' at 296.5,54.9385 noenhanced font ',9' center offset 0,0.6
set label '-32.2 %' at 377.5,-32.2284 noenhanced font ',9' center offset 0,-0.6
set label '+6.6 %' at 458.5,6.62396 noenhanced font ',9' center offset 0,0.6
set label '-37 %' at 591.5,-37 noenhanced font ',9' center offset 0,-0.6
set label '-15.6 %' at 646.5,-15.5787 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.133971
set rmargin at screen 0.971292
set terminal svg size 836,440
set output 'simt-fig10.svg'
plot 'simt-fig10.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig10.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
set terminal png size 836,440
set output 'simt-fig10.png'
plot 'simt-fig10.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig10.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
