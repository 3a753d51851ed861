set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Walk latency of the second tenant with DWS (figure 8)' noenhanced
set ylabel 'latency over baseline [%]' noenhanced
set xrange [0:602]
set yrange [-74.0736:31.3918]
set xtics noenhanced scale 0 ('HL' 109, 'HM' 301, 'HH' 493)
set label 'lower' at 67.5,0 noenhanced font ',9' center offset 0,0.6
set label '-62.3 %' at 150.5,-62.3308 noenhanced font ',9' center offset 0,-0.6
set label 'lower' at 259.5,0 noenhanced font ',9' center offset 0,0.6
set label '-67.7 %' at 342.5,-67.6818 noenhanced font ',9' center offset 0,-0.6
set label 'within 25 %' at 451.5,25 noenhanced font ',9' center offset 0,0.6
set label '-36.1 %' at 534.5,-36.1167 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.151762
set rmargin at screen 0.96748
set terminal svg size 738,440
set output 'dws-fig8-dws.svg'
plot 'dws-fig8-dws.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig8-dws.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS'
set terminal png size 738,440
set output 'dws-fig8-dws.png'
plot 'dws-fig8-dws.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig8-dws.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS'
