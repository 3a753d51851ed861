set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup over SharedTLB by category (figure 11)' noenhanced
set ylabel 'weighted speedup over SharedTLB [%]' noenhanced
set xrange [0:844.194]
set yrange [-31.2343:97.882]
set xtics noenhanced scale 0 ('0-HMR' 98, '1-HMR' 280, '2-HMR' 462, 'all 35 pairs' 695.097)
set label '+43.6 %' at 646.516,43.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-0.2 %' at 675.548,-0.150577 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+22.7 %' at 704.581,22.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.4 %' at 733.613,1.41457 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+57.8 %' at 762.645,57.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.6 %' at 791.677,1.5706 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.114263
set rmargin at screen 0.975515
set terminal svg size 980,440
set output 'mask-fig11.svg'
plot 'mask-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig11.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig11.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-TLB', 'mask-fig11.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-Cache', 'mask-fig11.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK-DRAM', 'mask-fig11.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'mask-fig11.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'Ideal'
set terminal png size 980,440
set output 'mask-fig11.png'
plot 'mask-fig11.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig11.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig11.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig11.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-TLB', 'mask-fig11.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-Cache', 'mask-fig11.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK-DRAM', 'mask-fig11.dat' index 6 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'MASK', 'mask-fig11.dat' index 7 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#F0E442' title 'Ideal'
