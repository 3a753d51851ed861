set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'simt over fcfs with more resources (figure 13)' noenhanced
set ylabel 'speedup over fcfs [%]' noenhanced
set xrange [0:860]
set yrange [-79.7194:365.527]
set xtics noenhanced scale 0 ('XSBench' 59, 'MVT' 163, 'ATAX' 267, 'NW' 371, 'BICG' 475, 'GESUMMV' 579, 'geomean' 756)
set label '+120.4 %' at 29,120.359 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+119.5 %' at 59,119.464 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+106.7 %' at 89,106.708 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+9.1 %' at 133,9.0889 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.1 %' at 163,-3.06619 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+10.4 %' at 193,10.371 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-2.8 %' at 237,-2.81068 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-2.9 %' at 267,-2.87404 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-2.8 %' at 297,-2.7815 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+2.2 %' at 341,2.20695 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-4.2 %' at 371,-4.16235 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-1.4 %' at 401,-1.36887 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+210.9 %' at 445,210.909 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.1 %' at 475,-3.08058 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+271.1 %' at 505,271.081 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.1 %' at 549,-3.12817 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-2.8 %' at 579,-2.75836 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-2.8 %' at 609,-2.77589 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+25 %' at 681,25 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+32.3 %' at 711,32.3282 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+8.4 %' at 741,8.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+11.0 %' at 771,10.9536 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.3 %' at 801,5.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+41.1 %' at 831,41.0903 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.11245
set rmargin at screen 0.975904
set terminal svg size 996,440
set output 'simt-fig13.svg'
plot 'simt-fig13.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig13.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '1024 TLB entries (a)', 'simt-fig13.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '16 walkers (b)', 'simt-fig13.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'both (c)'
set terminal png size 996,440
set output 'simt-fig13.png'
plot 'simt-fig13.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig13.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '1024 TLB entries (a)', 'simt-fig13.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '16 walkers (b)', 'simt-fig13.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'both (c)'
