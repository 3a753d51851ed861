set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Other GPUs (table 4)' noenhanced
set ylabel 'weighted speedup, part of Ideal''s [%]' noenhanced
set xrange [0:654]
set yrange [0:103.06]
set xtics noenhanced scale 0 ('Fermi' 170, 'integrated GPU' 484)
set label '53.1 %' at 50,53.1 noenhanced font ',9' center offset 0,0.6
set label '96.8 %' at 98,96.8141 noenhanced font ',9' center offset 0,0.6
set label '60.4 %' at 146,60.4 noenhanced font ',9' center offset 0,0.6
set label '86.2 %' at 194,86.2175 noenhanced font ',9' center offset 0,0.6
set label '78.0 %' at 242,78 noenhanced font ',9' center offset 0,0.6
set label '86.0 %' at 290,85.9954 noenhanced font ',9' center offset 0,0.6
set label '52.1 %' at 364,52.1 noenhanced font ',9' center offset 0,0.6
set label '95.3 %' at 412,95.2557 noenhanced font ',9' center offset 0,0.6
set label '38.2 %' at 460,38.2 noenhanced font ',9' center offset 0,0.6
set label '89.4 %' at 508,89.3878 noenhanced font ',9' center offset 0,0.6
set label '64.5 %' at 556,64.5 noenhanced font ',9' center offset 0,0.6
set label '90.3 %' at 604,90.3237 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.141772
set rmargin at screen 0.96962
set terminal svg size 790,440
set output 'mask-table4.svg'
plot 'mask-table4.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table4.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-table4.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB', 'mask-table4.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
set terminal png size 790,440
set output 'mask-table4.png'
plot 'mask-table4.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table4.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-table4.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB', 'mask-table4.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
