set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Pages of 2 MB (section 7.3)' noenhanced
set ylabel 'weighted speedup over Ideal [%]' noenhanced
set xrange [0:438]
set yrange [-47.6931:4.9931]
set xtics noenhanced scale 0 ('SharedTLB' 116, 'MASK' 322)
set label '-44.5 %' at 71,-44.5 noenhanced font ',9' center offset 0,-0.6
set label '-0.1 %' at 161,-0.110703 noenhanced font ',9' center offset 0,-0.6
set label 'within 1.8 %' at 277,1.8 noenhanced font ',9' center offset 0,0.6
set label '-3.8 %' at 367,-3.81524 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.175
set rmargin at screen 0.9625
set terminal svg size 640,440
set output 'mask-pages.svg'
plot 'mask-pages.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-pages.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '2 MB'
set terminal png size 640,440
set output 'mask-pages.png'
plot 'mask-pages.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-pages.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '2 MB'
