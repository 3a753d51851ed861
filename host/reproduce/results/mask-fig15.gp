set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Unfairness over SharedTLB by category (figure 15); less is fairer' noenhanced
set ylabel 'maximum slowdown over SharedTLB [%]' noenhanced
set xrange [0:845]
set yrange [-25.509:25.7897]
set xtics noenhanced scale 0 ('0-HMR' 108.5, '1-HMR' 299.5, '2-HMR' 490.5, 'all 35 pairs' 709)
set label '+11.9 %' at 53.5,11.9489 noenhanced font ',9' center offset 0,0.6
set label '-1.4 %' at 108.5,-1.41788 noenhanced font ',9' center offset 0,-0.6
set label '-2.1 %' at 163.5,-2.14861 noenhanced font ',9' center offset 0,-0.6
set label '+22.7 %' at 244.5,22.6807 noenhanced font ',9' center offset 0,0.6
set label '+2.1 %' at 299.5,2.06399 noenhanced font ',9' center offset 0,0.6
set label '+3.6 %' at 354.5,3.55422 noenhanced font ',9' center offset 0,0.6
set label '+19.6 %' at 435.5,19.6196 noenhanced font ',9' center offset 0,0.6
set label '-8.8 %' at 490.5,-8.82904 noenhanced font ',9' center offset 0,-0.6
set label '+0.1 %' at 545.5,0.0543192 noenhanced font ',9' center offset 0,0.6
set label '+18.2 %' at 626.5,18.1702 noenhanced font ',9' center offset 0,0.6
set label '-2.9 %' at 681.5,-2.87848 noenhanced font ',9' center offset 0,-0.6
set label '-22.4 %' at 736.5,-22.4 noenhanced font ',9' center offset 0,-0.6
set label '+0.5 %' at 791.5,0.531547 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.114169
set rmargin at screen 0.975535
set terminal svg size 981,440
set output 'mask-fig15.svg'
plot 'mask-fig15.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig15.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig15.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig15.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
set terminal png size 981,440
set output 'mask-fig15.png'
plot 'mask-fig15.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-fig15.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'Static', 'mask-fig15.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'PWCache', 'mask-fig15.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK'
