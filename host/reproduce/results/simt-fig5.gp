set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Instructions whose walks interleave with others'', fcfs (figure 5)' noenhanced
set ylabel 'part of those with two walks or more [%]' noenhanced
set xrange [0:836]
set yrange [0:106.452]
set xtics noenhanced scale 0 ('XSBench' 53.5, 'MVT' 134.5, 'ATAX' 215.5, 'NW' 296.5, 'BICG' 377.5, 'GESUMMV' 458.5, 'least' 619, 'most' 755)
set label '98.9 %' at 53.5,98.9042 noenhanced font ',9' center offset 0,0.6
set label '100.0 %' at 134.5,100 noenhanced font ',9' center offset 0,0.6
set label '100.0 %' at 215.5,100 noenhanced font ',9' center offset 0,0.6
set label '72.9 %' at 296.5,72.8791 noenhanced font ',9' center offset 0,0.6
set label '100.0 %' at 377.5,100 noenhanced font ',9' center offset 0,0.6
set label '100.0 %' at 458.5,99.9733 noenhanced font ',9' center offset 0,0.6
set label '45 %' at 591.5,45 noenhanced font ',9' center offset 0,0.6
set label '72.9 %' at 646.5,72.8791 noenhanced font ',9' center offset 0,0.6
set label '77 %' at 727.5,77 noenhanced font ',9' center offset 0,0.6
set label '100.0 %' at 782.5,100 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.115226
set rmargin at screen 0.975309
set terminal svg size 972,440
set output 'simt-fig5.svg'
plot 'simt-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs'
set terminal png size 972,440
set output 'simt-fig5.png'
plot 'simt-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs'
