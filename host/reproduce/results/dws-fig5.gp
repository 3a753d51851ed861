set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Throughput over baseline per pair (figure 5)' noenhanced
set ylabel 'total IPC over baseline [%]' noenhanced
set xrange [0:1570.41]
set yrange [-70.7868:399.827]
set xtics rotate by -45 noenhanced scale 0 ('HS+MM' 18.018, 'FFT+HS' 45.045, 'RAY+MM' 72.0721, 'FFT+RAY' 99.0991, '3DS+FFT' 126.126, 'LIB+MM' 153.153, 'LPS+HS' 180.18, 'JPEG+RAY' 207.207, 'SRAD+MM' 234.234, '3DS+SRAD' 261.261, 'LIB+JPEG' 288.288, 'LPS+JPEG' 315.315, 'SRAD+LIB' 342.342, 'BLK+MM' 369.369, 'BLK+HS' 396.396, 'BLK+RAY' 423.423, 'BLK+FFT' 450.45, 'QTC+MM' 477.477, 'QTC+HS' 504.505, 'QTC+RAY' 531.532, 'QTC+FFT' 558.559, 'SAD+MM' 596.081, 'SAD+HS' 633.604, 'SAD+RAY' 660.631, 'SAD+FFT' 687.658, 'GUPS+MM' 714.685, 'BLK+3DS' 741.712, 'GUPS+JPEG' 779.234, 'GUPS+3DS' 819.752, 'SAD+3DS' 849.775, 'BLK+LIB' 876.802, 'BLK+LPS' 903.829, 'QTC+LPS' 930.856, 'SAD+LPS' 957.883, 'GUPS+LPS' 984.91, 'QTC+JPEG' 1011.94, 'QTC+LIB' 1038.96, 'SAD+JPEG' 1065.99, 'GUPS+SRAD' 1093.02, 'GUPS+SAD' 1120.05, 'QTC+BLK' 1147.07, 'SAD+QTC' 1174.1, 'SAD+BLK' 1201.13, 'GUPS+BLK' 1228.15, 'GUPS+QTC' 1255.18, 'LL' 1300.23, 'ML' 1327.25, 'MM' 1354.28, 'HL' 1381.31, 'HM' 1408.33, 'HH' 1435.36, 'the 32 with H' 1472.88, 'all 45' 1531.4)
set label '1.86x' at 584.077,86 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.00x' at 599.077,-0.334571 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '3.8x' at 767.23,280 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '3.15x' at 782.23,215.497 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+624.0 %' at 815.248,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+55 %' at 1460.88,55 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+44.2 %' at 1475.88,44.2159 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+37 %' at 1508.9,37 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+29.8 %' at 1523.9,29.8346 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+34 %' at 1538.9,34 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+22.7 %' at 1553.9,22.7058 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.065635
set rmargin at screen 0.985935
set terminal svg size 1706,536
set output 'dws-fig5.svg'
plot 'dws-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig5.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
set terminal png size 1706,536
set output 'dws-fig5.png'
plot 'dws-fig5.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig5.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig5.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
