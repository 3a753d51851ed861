set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Speedup over fcfs (figure 8)' noenhanced
set ylabel 'speedup over fcfs [%]' noenhanced
set xrange [0:1252]
set yrange [-68.7883:183.357]
set xtics rotate by -45 noenhanced scale 0 ('XSBench' 46.7869, 'MVT' 126.361, 'ATAX' 205.934, 'NW' 285.508, 'BICG' 365.082, 'GESUMMV' 444.656, 'SSSP' 524.23, 'MIS' 603.803, 'Color' 683.377, 'BP' 762.951, 'KMeans' 842.525, 'HS' 922.098, 'mean of irregular' 1046.07, 'mean of regular' 1150.23, 'most' 1221.61)
set label '-26 %' at 1005.08,-26 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-4.7 %' at 1021.48,-4.7086 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+30 %' at 1037.87,30 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+12.4 %' at 1054.26,12.4265 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label 'about 0 %' at 1133.84,0 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.9 %' at 1150.23,1.85887 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+41 %' at 1213.41,41 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+124.5 %' at 1229.8,124.45 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0806916
set rmargin at screen 0.982709
set terminal svg size 1388,559
set output 'simt-fig8.svg'
plot 'simt-fig8.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig8.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'random', 'simt-fig8.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'simt', 'simt-fig8.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'simt-adaptive', 'simt-fig8.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'simt-scored'
set terminal png size 1388,559
set output 'simt-fig8.png'
plot 'simt-fig8.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig8.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'random', 'simt-fig8.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'simt', 'simt-fig8.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'simt-adaptive', 'simt-fig8.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'simt-scored'
