set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'DWS and MASK (figure 11)' noenhanced
set ylabel 'gain in total IPC [%]' noenhanced
set xrange [0:354]
set yrange [-6.70884:37.3523]
set xtics noenhanced scale 0 ('DWS over MASK' 95, 'MASK+DWS over DWS' 259)
set label '+29 %' at 60.5,29 noenhanced font ',9' center offset 0,0.6
set label '+34.7 %' at 129.5,34.6819 noenhanced font ',9' center offset 0,0.6
set label 'about 0 %' at 224.5,0 noenhanced font ',9' center offset 0,0.6
set label '-4.0 %' at 293.5,-4.03846 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.175
set rmargin at screen 0.9625
set terminal svg size 640,440
set output 'dws-fig11-mask.svg'
plot 'dws-fig11-mask.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig11-mask.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'all 45 pairs'
set terminal png size 640,440
set output 'dws-fig11-mask.png'
plot 'dws-fig11-mask.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig11-mask.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'all 45 pairs'
