set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Throughput over baseline by class (figures 2, 5 and 11)' noenhanced
set ylabel 'total IPC over baseline [%]' noenhanced
set xrange [0:1126]
set yrange [-19.2968:163.188]
set xtics noenhanced scale 0 ('LL' 70.4516, 'ML' 197.355, 'MM' 324.258, 'HL' 451.161, 'HM' 578.065, 'HH' 704.968, 'the 32 with H' 848, 'all 45' 1023.29)
set label '+55 %' at 799.613,55 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+44.2 %' at 815.742,44.2159 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+38 %' at 848,38 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+15.5 %' at 864.129,15.5461 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label 'lower' at 942.645,0 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+21.6 %' at 958.774,21.5618 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+37 %' at 974.903,37 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+29.8 %' at 991.032,29.8346 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+34 %' at 1007.16,34 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+22.7 %' at 1023.29,22.7058 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+26 %' at 1039.42,26 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+11.0 %' at 1055.55,11.018 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.088748
set rmargin at screen 0.980983
set terminal svg size 1262,440
set output 'dws-fig11.svg'
plot 'dws-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'static', 'dws-fig11.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig11.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++', 'dws-fig11.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'S-TLB', 'dws-fig11.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'S-TLB+PTW', 'dws-fig11.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'dws-fig11.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'MASK+DWS'
set terminal png size 1262,440
set output 'dws-fig11.png'
plot 'dws-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'dws-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'static', 'dws-fig11.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'DWS', 'dws-fig11.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'DWS++', 'dws-fig11.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'S-TLB', 'dws-fig11.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'S-TLB+PTW', 'dws-fig11.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'dws-fig11.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'MASK+DWS'
