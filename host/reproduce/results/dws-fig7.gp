set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted IPC over baseline per pair (figure 7)' noenhanced
set ylabel 'weighted IPC over baseline [%]' noenhanced
set xrange [0:1534.67]
set yrange [-6.69747:81.4773]
set xtics rotate by -45 noenhanced scale 0 ('HS+MM' 18.6916, 'FFT+HS' 46.729, 'RAY+MM' 74.7664, 'FFT+RAY' 102.804, '3DS+FFT' 130.841, 'LIB+MM' 158.879, 'LPS+HS' 186.916, 'JPEG+RAY' 214.953, 'SRAD+MM' 242.991, '3DS+SRAD' 271.028, 'LIB+JPEG' 299.065, 'LPS+JPEG' 327.103, 'SRAD+LIB' 355.14, 'BLK+MM' 383.178, 'BLK+HS' 411.215, 'BLK+RAY' 439.252, 'BLK+FFT' 467.29, 'QTC+MM' 495.327, 'QTC+HS' 523.364, 'QTC+RAY' 551.402, 'QTC+FFT' 579.439, 'SAD+MM' 607.477, 'SAD+HS' 635.514, 'SAD+RAY' 663.551, 'SAD+FFT' 691.589, 'GUPS+MM' 719.626, 'BLK+3DS' 747.664, 'GUPS+JPEG' 775.701, 'GUPS+3DS' 803.738, 'SAD+3DS' 831.776, 'BLK+LIB' 859.813, 'BLK+LPS' 887.85, 'QTC+LPS' 915.888, 'SAD+LPS' 943.925, 'GUPS+LPS' 971.963, 'QTC+JPEG' 1000, 'QTC+LIB' 1028.04, 'SAD+JPEG' 1056.07, 'GUPS+SRAD' 1084.11, 'GUPS+SAD' 1112.15, 'QTC+BLK' 1140.19, 'SAD+QTC' 1168.22, 'SAD+BLK' 1196.26, 'GUPS+BLK' 1224.3, 'GUPS+QTC' 1252.34, 'LL' 1299.07, 'ML' 1327.1, 'MM' 1355.14, 'HL' 1383.18, 'HM' 1411.21, 'HH' 1439.25, 'the 32 with H' 1467.29, 'all 45' 1505.65)
set label '+15 %' at 1493.48,15 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.9 %' at 1508.48,5.88019 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0668449
set rmargin at screen 0.982783
set terminal svg size 1676,536
set output 'dws-fig7.svg'
plot 'dws-fig7.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig7.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig7.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
set terminal png size 1676,536
set output 'dws-fig7.png'
plot 'dws-fig7.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig7.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'DWS', 'dws-fig7.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS++'
