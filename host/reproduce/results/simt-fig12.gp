set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Wavefronts that use the L2 TLB at a time over fcfs (figure 12)' noenhanced
set ylabel 'distinct wavefronts over fcfs [%]' noenhanced
set xrange [0:700]
set yrange [-67.5515:2.08922]
set xtics noenhanced scale 0 ('XSBench' 53.5, 'MVT' 134.5, 'ATAX' 215.5, 'NW' 296.5, 'BICG' 377.5, 'GESUMMV' 458.5, 'geomean' 619)
set label '-63.3 %' at 53.5,-63.3309 noenhanced font ',9' center offset 0,-0.6
set label '-19.0 %' at 134.5,-19.0347 noenhanced font ',9' center offset 0,-0.6
set label '-20.1 %' at 215.5,-20.0951 noenhanced font ',9' center offset 0,-0.6
set label '-11.2 %' at 296.5,-11.2124 noenhanced font ',9' center offset 0,-0.6
set label '-24.7 %' at 377.5,-24.6748 noenhanced font ',9' center offset 0,-0.6
set label '-19.5 %' at 458.5,-19.5249 noenhanced font ',9' center offset 0,-0.6
set label '-42 %' at 591.5,-42 noenhanced font ',9' center offset 0,-0.6
set label '-29.0 %' at 646.5,-29.0484 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.133971
set rmargin at screen 0.971292
set terminal svg size 836,440
set output 'simt-fig12.svg'
plot 'simt-fig12.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig12.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
set terminal png size 836,440
set output 'simt-fig12.png'
plot 'simt-fig12.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig12.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'simt'
