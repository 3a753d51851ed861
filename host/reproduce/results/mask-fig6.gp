set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Warps stalled by a TLB miss, SharedTLB (figure 6)' noenhanced
set ylabel 'warps per TLB miss, mean' noenhanced
set xrange [0:1432]
set yrange [0:31.9355]
set xtics noenhanced scale 0 ('BFS2' 43, 'FFT' 103, 'HISTO' 163, 'NW' 223, 'QTC' 283, 'RAY' 343, 'SAD' 403, 'SCP' 463, '3DS' 523, 'BLK' 583, 'CFD' 643, 'CONS' 703, 'FWT' 763, 'LUH' 823, 'MM' 883, 'MUM' 943, 'RED' 1003, 'SC' 1063, 'SCAN' 1123, 'SRAD' 1183, 'TRD' 1243, 'most' 1372)
set label '4.65' at 43,4.64884 noenhanced font ',9' center offset 0,0.6
set label '2.47' at 103,2.47314 noenhanced font ',9' center offset 0,0.6
set label '7.37' at 163,7.36605 noenhanced font ',9' center offset 0,0.6
set label '1' at 223,1.00077 noenhanced font ',9' center offset 0,0.6
set label '1.24' at 283,1.23829 noenhanced font ',9' center offset 0,0.6
set label '2.71' at 343,2.7125 noenhanced font ',9' center offset 0,0.6
set label '4.3' at 403,4.30234 noenhanced font ',9' center offset 0,0.6
set label '1.7' at 463,1.6987 noenhanced font ',9' center offset 0,0.6
set label '4.25' at 523,4.24682 noenhanced font ',9' center offset 0,0.6
set label '1.12' at 583,1.11923 noenhanced font ',9' center offset 0,0.6
set label '1.44' at 643,1.44328 noenhanced font ',9' center offset 0,0.6
set label '5.5' at 703,5.49719 noenhanced font ',9' center offset 0,0.6
set label '3.9' at 763,3.89959 noenhanced font ',9' center offset 0,0.6
set label '1.25' at 823,1.24736 noenhanced font ',9' center offset 0,0.6
set label '3.15' at 883,3.15342 noenhanced font ',9' center offset 0,0.6
set label '1.48' at 943,1.47863 noenhanced font ',9' center offset 0,0.6
set label '14.4' at 1003,14.4156 noenhanced font ',9' center offset 0,0.6
set label '1.11' at 1063,1.10827 noenhanced font ',9' center offset 0,0.6
set label '2.76' at 1123,2.76023 noenhanced font ',9' center offset 0,0.6
set label '2.71' at 1183,2.70634 noenhanced font ',9' center offset 0,0.6
set label '4.02' at 1243,4.02305 noenhanced font ',9' center offset 0,0.6
set label '> 30' at 1355,30 noenhanced font ',9' center offset 0,0.6
set label '14.4' at 1389,14.4156 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0714286
set rmargin at screen 0.984694
set terminal svg size 1568,440
set output 'mask-fig6.svg'
plot 'mask-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
set terminal png size 1568,440
set output 'mask-fig6.png'
plot 'mask-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'SharedTLB'
