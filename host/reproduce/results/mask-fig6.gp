set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Warps stalled by a TLB miss, SharedTLB (figure 6)' noenhanced
set ylabel 'warps per TLB miss, mean' noenhanced
set xrange [0:1432]
set yrange [0:37.4529]
set xtics noenhanced scale 0 ('BFS2' 43, 'FFT' 103, 'HISTO' 163, 'NW' 223, 'QTC' 283, 'RAY' 343, 'SAD' 403, 'SCP' 463, '3DS' 523, 'BLK' 583, 'CFD' 643, 'CONS' 703, 'FWT' 763, 'LUH' 823, 'MM' 883, 'MUM' 943, 'RED' 1003, 'SC' 1063, 'SCAN' 1123, 'SRAD' 1183, 'TRD' 1243, 'most' 1372)
set label '6.04' at 43,6.03856 noenhanced font ',9' center offset 0,0.6
set label '3.73' at 103,3.72842 noenhanced font ',9' center offset 0,0.6
set label '8.04' at 163,8.03811 noenhanced font ',9' center offset 0,0.6
set label '1' at 223,1.00203 noenhanced font ',9' center offset 0,0.6
set label '1.18' at 283,1.17606 noenhanced font ',9' center offset 0,0.6
set label '2.25' at 343,2.25 noenhanced font ',9' center offset 0,0.6
set label '5.17' at 403,5.16907 noenhanced font ',9' center offset 0,0.6
set label '3.95' at 463,3.94706 noenhanced font ',9' center offset 0,0.6
set label '6.72' at 523,6.72251 noenhanced font ',9' center offset 0,0.6
set label '2.05' at 583,2.04531 noenhanced font ',9' center offset 0,0.6
set label '4.08' at 643,4.07536 noenhanced font ',9' center offset 0,0.6
set label '6.35' at 703,6.34559 noenhanced font ',9' center offset 0,0.6
set label '6.37' at 763,6.37096 noenhanced font ',9' center offset 0,0.6
set label '2.7' at 823,2.7012 noenhanced font ',9' center offset 0,0.6
set label '35.2' at 883,35.183 noenhanced font ',9' center offset 0,0.6
set label '1.78' at 943,1.77719 noenhanced font ',9' center offset 0,0.6
set label '16' at 1003,15.9689 noenhanced font ',9' center offset 0,0.6
set label '25.1' at 1063,25.1173 noenhanced font ',9' center offset 0,0.6
set label '3.82' at 1123,3.81871 noenhanced font ',9' center offset 0,0.6
set label '10.8' at 1183,10.8042 noenhanced font ',9' center offset 0,0.6
set label '14.8' at 1243,14.7555 noenhanced font ',9' center offset 0,0.6
set label '> 30' at 1355,30 noenhanced font ',9' center offset 0,0.6
set label '35.2' at 1389,35.183 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0714286
set rmargin at screen 0.984694
set terminal svg size 1568,440
set output 'mask-fig6.svg'
plot 'mask-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 1568,440
set output 'mask-fig6.png'
plot 'mask-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
