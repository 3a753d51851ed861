set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup over SharedTLB: the golden queue, and with silver' noenhanced
set ylabel 'gain [%]' noenhanced
set xrange [0:856]
set yrange [-20.8349:34.0775]
set xtics rotate by -45 noenhanced scale 0 ('3DS+HISTO' 44, 'RED+BP' 118, 'RED+RAY' 192, 'SCAN+HISTO' 266, 'SCAN+SAD' 340, 'MM+CONS' 414, 'SCAN+CONS' 488, 'SCAN+SRAD' 562, 'SC+FWT' 636, 'QTC+BP' 710, 'mean' 812)
set label '+0.5 %' at 29,0.526299 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-0.2 %' at 59,-0.158942 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+0.1 %' at 103,0.0800816 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-10.4 %' at 133,-10.3516 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '0.0 %' at 177,-0.0204532 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '0.0 %' at 207,0.00712009 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+0.4 %' at 251,0.368018 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-1.0 %' at 281,-0.95321 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '0.0 %' at 325,0.0379352 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0 %' at 355,0.0437917 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.9 %' at 399,1.90334 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+2.8 %' at 429,2.82383 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+2.9 %' at 473,2.87974 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-2.7 %' at 503,-2.71726 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+2.0 %' at 547,1.98265 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+0.4 %' at 577,0.418378 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+23.6 %' at 621,23.5942 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+18.9 %' at 651,18.8827 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+7.3 %' at 695,7.27569 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.7 %' at 725,5.68151 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+3.6 %' at 797,3.64299 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.1 %' at 827,1.1213 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.112903
set rmargin at screen 0.975806
set terminal svg size 992,532
set output 'mask-dram-parts.svg'
plot 'mask-dram-parts.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'golden alone', 'mask-dram-parts.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'golden and silver'
set terminal png size 992,532
set output 'mask-dram-parts.png'
plot 'mask-dram-parts.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'golden alone', 'mask-dram-parts.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'golden and silver'
