set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'L2 hit rate of page walks by depth, SharedTLB (section 5.3)' noenhanced
set ylabel 'L2 hit rate [%]' noenhanced
set xrange [0:514]
set yrange [0:106.324]
set xtics noenhanced scale 0 ('depth 1' 74, 'depth 2' 196, 'depth 3' 318, 'depth 4' 440)
set label '99.8 %' at 50,99.8 noenhanced font ',9' center offset 0,0.6
set label '99.9 %' at 98,99.8803 noenhanced font ',9' center offset 0,0.6
set label '98.8 %' at 172,98.8 noenhanced font ',9' center offset 0,0.6
set label '99.9 %' at 220,99.8782 noenhanced font ',9' center offset 0,0.6
set label '68.7 %' at 294,68.7 noenhanced font ',9' center offset 0,0.6
set label '99.9 %' at 342,99.8711 noenhanced font ',9' center offset 0,0.6
set label '1.0 %' at 416,1 noenhanced font ',9' center offset 0,0.6
set label '90.4 %' at 464,90.4018 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.172308
set rmargin at screen 0.963077
set terminal svg size 650,440
set output 'mask-sec5.3.svg'
plot 'mask-sec5.3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-sec5.3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 650,440
set output 'mask-sec5.3.png'
plot 'mask-sec5.3.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-sec5.3.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
