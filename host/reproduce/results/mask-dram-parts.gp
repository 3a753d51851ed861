set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup over SharedTLB: the golden queue, and with silver' noenhanced
set ylabel 'gain [%]' noenhanced
set xrange [0:1420]
set yrange [-10.3073:3.69877]
set xtics noenhanced scale 0 ('3DS+HISTO' 74, 'RED+BP' 196, 'RED+RAY' 318, 'SCAN+HISTO' 440, 'SCAN+SAD' 562, 'MM+CONS' 684, 'SCAN+CONS' 806, 'SCAN+SRAD' 928, 'SC+FWT' 1050, 'QTC+BP' 1172, 'mean' 1346)
set label '-0.4 %' at 50,-0.399097 noenhanced font ',9' center offset 0,-0.6
set label '-0.6 %' at 98,-0.629354 noenhanced font ',9' center offset 0,-0.6
set label '-0.2 %' at 172,-0.200078 noenhanced font ',9' center offset 0,-0.6
set label '-8.8 %' at 220,-8.76981 noenhanced font ',9' center offset 0,-0.6
set label '+0.1 %' at 294,0.0798955 noenhanced font ',9' center offset 0,0.6
set label '+0.5 %' at 342,0.480371 noenhanced font ',9' center offset 0,0.6
set label '-0.1 %' at 416,-0.0729433 noenhanced font ',9' center offset 0,-0.6
set label '-1.8 %' at 464,-1.7968 noenhanced font ',9' center offset 0,-0.6
set label '+0.2 %' at 538,0.159302 noenhanced font ',9' center offset 0,0.6
set label '+0.1 %' at 586,0.0611634 noenhanced font ',9' center offset 0,0.6
set label '-0.1 %' at 660,-0.118111 noenhanced font ',9' center offset 0,-0.6
set label '-0.9 %' at 708,-0.908746 noenhanced font ',9' center offset 0,-0.6
set label '-0.6 %' at 782,-0.559172 noenhanced font ',9' center offset 0,-0.6
set label '-9.5 %' at 830,-9.45844 noenhanced font ',9' center offset 0,-0.6
set label '-1.6 %' at 904,-1.63801 noenhanced font ',9' center offset 0,-0.6
set label '-3.4 %' at 952,-3.43644 noenhanced font ',9' center offset 0,-0.6
set label '+2.8 %' at 1026,2.84992 noenhanced font ',9' center offset 0,0.6
set label '-9.1 %' at 1074,-9.05899 noenhanced font ',9' center offset 0,-0.6
set label '0.0 %' at 1148,-0.0438286 noenhanced font ',9' center offset 0,-0.6
set label '-2.7 %' at 1196,-2.73442 noenhanced font ',9' center offset 0,-0.6
set label '0.0 %' at 1322,0.000162262 noenhanced font ',9' center offset 0,0.6
set label '-3.7 %' at 1370,-3.69952 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.0719794
set rmargin at screen 0.984576
set terminal svg size 1556,440
set output 'mask-dram-parts.svg'
plot 'mask-dram-parts.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'golden alone', 'mask-dram-parts.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'golden and silver'
set terminal png size 1556,440
set output 'mask-dram-parts.png'
plot 'mask-dram-parts.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'golden alone', 'mask-dram-parts.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'golden and silver'
