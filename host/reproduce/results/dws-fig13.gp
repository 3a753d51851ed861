set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Three and four tenants: DWS over baseline (figure 13)' noenhanced
set ylabel 'total IPC over baseline [%]' noenhanced
set xrange [0:1584]
set yrange [-11.662:179.359]
set xtics rotate by -45 noenhanced scale 0 ('BLK+3DS+MM' 57, 'GUPS+JPEG+HS' 145, 'SAD+LIB+FFT' 233, 'QTC+SRAD+RAY' 321, 'BLK+GUPS+MM' 409, 'SAD+QTC+LPS' 497, 'GUPS+SAD+3DS' 585, 'BLK+3DS+MM+HS' 673, 'GUPS+JPEG+HS+FFT' 761, 'SAD+LIB+FFT+RAY' 849, 'QTC+SRAD+RAY+LPS' 937, 'BLK+GUPS+MM+JPEG' 1025, 'SAD+QTC+LPS+HS' 1113, 'GUPS+SAD+3DS+LIB' 1201, 'most' 1434)
set label '+117.2 %' at 57,117.175 noenhanced font ',9' center offset 0,0.6
set label '+89.9 %' at 145,89.9498 noenhanced font ',9' center offset 0,0.6
set label '-0.1 %' at 233,-0.0849458 noenhanced font ',9' center offset 0,-0.6
set label '+3.6 %' at 321,3.55164 noenhanced font ',9' center offset 0,0.6
set label '+167.8 %' at 409,167.782 noenhanced font ',9' center offset 0,0.6
set label '+32.2 %' at 497,32.1748 noenhanced font ',9' center offset 0,0.6
set label '+70.0 %' at 585,69.9852 noenhanced font ',9' center offset 0,0.6
set label '+63.5 %' at 673,63.4971 noenhanced font ',9' center offset 0,0.6
set label '+30.3 %' at 761,30.3338 noenhanced font ',9' center offset 0,0.6
set label '0.0 %' at 849,-0.0401756 noenhanced font ',9' center offset 0,-0.6
set label '+8.9 %' at 937,8.87574 noenhanced font ',9' center offset 0,0.6
set label '+117.5 %' at 1025,117.489 noenhanced font ',9' center offset 0,0.6
set label '+19.2 %' at 1113,19.213 noenhanced font ',9' center offset 0,0.6
set label '+57.9 %' at 1201,57.9174 noenhanced font ',9' center offset 0,0.6
set label '1.9x' at 1341,90 noenhanced font ',9' center offset 0,0.6
set label '2.68x' at 1403,167.782 noenhanced font ',9' center offset 0,0.6
set label '1.9x' at 1465,90 noenhanced font ',9' center offset 0,0.6
set label '2.17x' at 1527,117.489 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.0651163
set rmargin at screen 0.986047
set terminal svg size 1720,580
set output 'dws-fig13.svg'
plot 'dws-fig13.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig13.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '3 tenants', 'dws-fig13.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '4 tenants'
set terminal png size 1720,580
set output 'dws-fig13.png'
plot 'dws-fig13.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig13.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '3 tenants', 'dws-fig13.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '4 tenants'
