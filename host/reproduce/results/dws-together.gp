set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'The papers'' mechanisms, alone and together' noenhanced
set ylabel 'total IPC over baseline [%]' noenhanced
set xrange [0:1323.76]
set yrange [-93.5378:419.772]
set xtics rotate by -45 noenhanced scale 0 ('BLK+MM' 23.1515, 'BLK+HS' 61.4545, 'BLK+RAY' 99.7576, 'BLK+FFT' 138.061, 'QTC+MM' 176.364, 'QTC+HS' 214.667, 'QTC+RAY' 252.97, 'QTC+FFT' 291.273, 'SAD+MM' 329.576, 'SAD+HS' 367.879, 'SAD+RAY' 406.182, 'SAD+FFT' 444.485, 'GUPS+MM' 482.788, 'BLK+3DS' 521.091, 'GUPS+JPEG' 559.394, 'GUPS+3DS' 611.106, 'SAD+3DS' 662.818, 'BLK+LIB' 701.121, 'BLK+LPS' 739.424, 'QTC+LPS' 777.727, 'SAD+LPS' 816.03, 'GUPS+LPS' 854.333, 'QTC+JPEG' 892.636, 'QTC+LIB' 930.939, 'SAD+JPEG' 969.242, 'GUPS+SRAD' 1007.55, 'GUPS+SAD' 1045.85, 'QTC+BLK' 1084.15, 'SAD+QTC' 1122.45, 'SAD+BLK' 1160.76, 'GUPS+BLK' 1203.53, 'GUPS+QTC' 1246.3, 'geomean' 1300.61)
set label '+624.0 %' at 596.106,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+660.7 %' at 611.106,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+668.7 %' at 626.106,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1177.8 %' at 1209.59,300 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0761464
set rmargin at screen 0.976141
set terminal svg size 1471,525
set output 'dws-together.svg'
plot 'dws-together.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'MASK', 'dws-together.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-together.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK+DWS', 'dws-together.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'SIMT', 'dws-together.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'translation'
set terminal png size 1471,525
set output 'dws-together.png'
plot 'dws-together.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'MASK', 'dws-together.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-together.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK+DWS', 'dws-together.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'SIMT', 'dws-together.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'translation'
