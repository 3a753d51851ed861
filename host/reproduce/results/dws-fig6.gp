set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Fairness per pair (figure 6); 1 is fair' noenhanced
set ylabel 'fairness, least / most slowdown' noenhanced
set xrange [0:1448]
set yrange [0:1.02901]
set xtics rotate by -45 noenhanced scale 0 ('HS+MM' 17.434, 'FFT+HS' 44.3019, 'RAY+MM' 71.1698, 'FFT+RAY' 98.0377, '3DS+FFT' 124.906, 'LIB+MM' 151.774, 'LPS+HS' 178.642, 'JPEG+RAY' 205.509, 'SRAD+MM' 232.377, '3DS+SRAD' 259.245, 'LIB+JPEG' 286.113, 'LPS+JPEG' 312.981, 'SRAD+LIB' 339.849, 'BLK+MM' 366.717, 'BLK+HS' 393.585, 'BLK+RAY' 420.453, 'BLK+FFT' 447.321, 'QTC+MM' 474.189, 'QTC+HS' 501.057, 'QTC+RAY' 527.925, 'QTC+FFT' 554.792, 'SAD+MM' 581.66, 'SAD+HS' 608.528, 'SAD+RAY' 635.396, 'SAD+FFT' 662.264, 'GUPS+MM' 689.132, 'BLK+3DS' 716, 'GUPS+JPEG' 742.868, 'GUPS+3DS' 769.736, 'SAD+3DS' 796.604, 'BLK+LIB' 823.472, 'BLK+LPS' 850.34, 'QTC+LPS' 877.208, 'SAD+LPS' 904.075, 'GUPS+LPS' 930.943, 'QTC+JPEG' 957.811, 'QTC+LIB' 984.679, 'SAD+JPEG' 1011.55, 'GUPS+SRAD' 1038.42, 'GUPS+SAD' 1065.28, 'QTC+BLK' 1092.15, 'SAD+QTC' 1119.02, 'SAD+BLK' 1145.89, 'GUPS+BLK' 1172.75, 'GUPS+QTC' 1199.62, 'LL' 1242.49, 'ML' 1269.36, 'MM' 1296.23, 'HL' 1323.09, 'HM' 1349.96, 'HH' 1376.83, 'the 32 with H' 1403.7, 'all 45' 1430.57)
set lmargin at screen 0.069482
set rmargin at screen 0.967785
set terminal svg size 1612,536
set output 'dws-fig6.svg'
plot 'dws-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig6.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
set terminal png size 1612,536
set output 'dws-fig6.png'
plot 'dws-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'baseline', 'dws-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig6.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++'
