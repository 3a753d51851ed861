set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Pages of 2 MB (section 7.3)' noenhanced
set ylabel 'weighted speedup over Ideal [%]' noenhanced
set xrange [0:298]
set yrange [-47.4657:1.46801]
set xtics noenhanced scale 0 ('SharedTLB' 81, 'MASK' 217)
set label '-44.5 %' at 53.5,-44.5 noenhanced font ',9' center offset 0,-0.6
set label '-0.1 %' at 108.5,-0.147337 noenhanced font ',9' center offset 0,-0.6
set label '-1.8 %' at 189.5,-1.8 noenhanced font ',9' center offset 0,-0.6
set label '-4.2 %' at 244.5,-4.15494 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.175
set rmargin at screen 0.9625
set terminal svg size 640,440
set output 'mask-pages.svg'
plot 'mask-pages.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-pages.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '2 MB'
set terminal png size 640,440
set output 'mask-pages.png'
plot 'mask-pages.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-pages.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '2 MB'
