set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Other GPUs (table 4)' noenhanced
set ylabel 'weighted speedup, part of Ideal''s [%]' noenhanced
set xrange [0:654]
set yrange [0:83.0323]
set xtics noenhanced scale 0 ('Fermi' 170, 'integrated GPU' 484)
set label '53.1 %' at 50,53.1 noenhanced font ',9' center offset 0,0.6
set label '55.3 %' at 98,55.2844 noenhanced font ',9' center offset 0,0.6
set label '60.4 %' at 146,60.4 noenhanced font ',9' center offset 0,0.6
set label '41.0 %' at 194,41.0396 noenhanced font ',9' center offset 0,0.6
set label '78.0 %' at 242,78 noenhanced font ',9' center offset 0,0.6
set label '41.2 %' at 290,41.2071 noenhanced font ',9' center offset 0,0.6
set label '52.1 %' at 364,52.1 noenhanced font ',9' center offset 0,0.6
set label '72.9 %' at 412,72.9085 noenhanced font ',9' center offset 0,0.6
set label '38.2 %' at 460,38.2 noenhanced font ',9' center offset 0,0.6
set label '49.6 %' at 508,49.6342 noenhanced font ',9' center offset 0,0.6
set label '64.5 %' at 556,64.5 noenhanced font ',9' center offset 0,0.6
set label '50.5 %' at 604,50.4632 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.141772
set rmargin at screen 0.96962
set terminal svg size 790,440
set output 'mask-table4.svg'
plot 'mask-table4.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table4.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-table4.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB', 'mask-table4.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
set terminal png size 790,440
set output 'mask-table4.png'
plot 'mask-table4.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-table4.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-table4.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'SharedTLB', 'mask-table4.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
