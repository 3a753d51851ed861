set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Unfairness over SharedTLB by category (figure 15); less is fairer' noenhanced
set ylabel 'maximum slowdown over SharedTLB [%]' noenhanced
set xrange [0:845]
set yrange [-25.6022:27.2339]
set xtics noenhanced scale 0 ('0-HMR' 108.5, '1-HMR' 299.5, '2-HMR' 490.5, 'all 35 pairs' 709)
set label '+22.9 %' at 53.5,22.8971 noenhanced font ',9' center offset 0,0.6
set label '-2.4 %' at 108.5,-2.3691 noenhanced font ',9' center offset 0,-0.6
set label '+0.2 %' at 163.5,0.213417 noenhanced font ',9' center offset 0,0.6
set label '+24.0 %' at 244.5,24.0317 noenhanced font ',9' center offset 0,0.6
set label '-7.2 %' at 299.5,-7.17821 noenhanced font ',9' center offset 0,-0.6
set label '+3.7 %' at 354.5,3.66427 noenhanced font ',9' center offset 0,0.6
set label '+8.3 %' at 435.5,8.34856 noenhanced font ',9' center offset 0,0.6
set label '-1.0 %' at 490.5,-1.03152 noenhanced font ',9' center offset 0,-0.6
set label '+6.3 %' at 545.5,6.34794 noenhanced font ',9' center offset 0,0.6
set label '+18.1 %' at 626.5,18.0727 noenhanced font ',9' center offset 0,0.6
set label '-3.6 %' at 681.5,-3.59666 noenhanced font ',9' center offset 0,-0.6
set label '-22.4 %' at 736.5,-22.4 noenhanced font ',9' center offset 0,-0.6
set label '+3.5 %' at 791.5,3.46984 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.114169
set rmargin at screen 0.975535
set terminal svg size 981,440
set output 'mask-fig15.svg'
plot 'mask-fig15.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig15.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig15.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig15.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
set terminal png size 981,440
set output 'mask-fig15.png'
plot 'mask-fig15.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig15.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig15.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig15.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
