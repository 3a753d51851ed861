set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'What sharing costs: total IPC with a TLB, then walkers, of one''s own (figure 2)' noenhanced
set ylabel 'gain in total IPC [%]' noenhanced
set xrange [0:1562.27]
set yrange [-24.3978:387.338]
set xtics rotate by -45 noenhanced scale 0 ('HS+MM' 18.1818, 'FFT+HS' 45.4545, 'RAY+MM' 72.7273, 'FFT+RAY' 100, '3DS+FFT' 127.273, 'LIB+MM' 154.545, 'LPS+HS' 181.818, 'JPEG+RAY' 209.091, 'SRAD+MM' 236.364, '3DS+SRAD' 263.636, 'LIB+JPEG' 290.909, 'LPS+JPEG' 318.182, 'SRAD+LIB' 345.455, 'BLK+MM' 372.727, 'BLK+HS' 400, 'BLK+RAY' 427.273, 'BLK+FFT' 454.545, 'QTC+MM' 481.818, 'QTC+HS' 509.091, 'QTC+RAY' 536.364, 'QTC+FFT' 563.636, 'SAD+MM' 590.909, 'SAD+HS' 618.182, 'SAD+RAY' 645.455, 'SAD+FFT' 672.727, 'GUPS+MM' 700, 'BLK+3DS' 727.273, 'GUPS+JPEG' 754.545, 'GUPS+3DS' 781.818, 'SAD+3DS' 809.091, 'BLK+LIB' 836.364, 'BLK+LPS' 863.636, 'QTC+LPS' 890.909, 'SAD+LPS' 918.182, 'GUPS+LPS' 945.455, 'QTC+JPEG' 972.727, 'QTC+LIB' 1000, 'SAD+JPEG' 1027.27, 'GUPS+SRAD' 1054.55, 'GUPS+SAD' 1081.82, 'QTC+BLK' 1109.09, 'SAD+QTC' 1136.36, 'SAD+BLK' 1163.64, 'GUPS+BLK' 1193.86, 'GUPS+QTC' 1224.09, 'LL' 1269.55, 'ML' 1296.82, 'MM' 1324.09, 'HL' 1351.36, 'HM' 1378.64, 'HH' 1405.91, 'the 32 with H' 1454.09, 'all 45' 1523.18)
set label '+535.1 %' at 1198.41,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+38 %' at 1431.59,38 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+15.5 %' at 1446.59,15.5461 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+46 %' at 1461.59,46 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+49.4 %' at 1476.59,49.3776 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+26 %' at 1500.68,26 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+11.0 %' at 1515.68,11.018 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+31 %' at 1530.68,31 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+33.2 %' at 1545.68,33.1702 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0659494
set rmargin at screen 0.985868
set terminal svg size 1698,536
set output 'dws-fig2.svg'
plot 'dws-fig2.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig2.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'S-TLB over baseline', 'dws-fig2.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'S-(TLB+PTW) over S-TLB'
set terminal png size 1698,536
set output 'dws-fig2.png'
plot 'dws-fig2.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig2.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'S-TLB over baseline', 'dws-fig2.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'S-(TLB+PTW) over S-TLB'
