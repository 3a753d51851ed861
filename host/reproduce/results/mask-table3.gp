set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'One to five applications (table 3)' noenhanced
set ylabel 'weighted speedup, part of Ideal''s [%]' noenhanced
set xrange [0:1256]
set yrange [0:108.73]
set xtics noenhanced scale 0 ('1 application' 136, '2' 382, '3' 628, '4' 874, '5' 1120)
set label '47.1 %' at 53.5,47.1 noenhanced font ',9' center offset 0,0.6
set label '97.3 %' at 108.5,97.3398 noenhanced font ',9' center offset 0,0.6
set label '68.5 %' at 163.5,68.5 noenhanced font ',9' center offset 0,0.6
set label '97.5 %' at 218.5,97.5289 noenhanced font ',9' center offset 0,0.6
set label '48.7 %' at 299.5,48.7 noenhanced font ',9' center offset 0,0.6
set label '97.1 %' at 354.5,97.0692 noenhanced font ',9' center offset 0,0.6
set label '76.8 %' at 409.5,76.8 noenhanced font ',9' center offset 0,0.6
set label '93.7 %' at 464.5,93.7417 noenhanced font ',9' center offset 0,0.6
set label '38.8 %' at 545.5,38.8 noenhanced font ',9' center offset 0,0.6
set label '102.1 %' at 600.5,102.141 noenhanced font ',9' center offset 0,0.6
set label '62.3 %' at 655.5,62.3 noenhanced font ',9' center offset 0,0.6
set label '95.9 %' at 710.5,95.9376 noenhanced font ',9' center offset 0,0.6
set label '34.2 %' at 791.5,34.2 noenhanced font ',9' center offset 0,0.6
set label '98.3 %' at 846.5,98.2869 noenhanced font ',9' center offset 0,0.6
set label '55.0 %' at 901.5,55 noenhanced font ',9' center offset 0,0.6
set label '92.9 %' at 956.5,92.9495 noenhanced font ',9' center offset 0,0.6
set label '33.1 %' at 1037.5,33.1 noenhanced font ',9' center offset 0,0.6
set label '100.4 %' at 1092.5,100.357 noenhanced font ',9' center offset 0,0.6
set label '52.9 %' at 1147.5,52.9 noenhanced font ',9' center offset 0,0.6
set label '93.7 %' at 1202.5,93.6635 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0804598
set rmargin at screen 0.982759
set terminal svg size 1392,440
set output 'mask-table3.svg'
plot 'mask-table3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB', 'mask-table3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK'
set terminal png size 1392,440
set output 'mask-table3.png'
plot 'mask-table3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB', 'mask-table3.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK'
