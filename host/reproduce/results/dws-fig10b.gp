set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Throughput of DWS++''s variants by class (figure 10b)' noenhanced
set ylabel 'total IPC over DWS++ [%]' noenhanced
set xrange [0:562]
set yrange [-4.88342:9.20532]
set xtics noenhanced scale 0 ('HL' 74, 'HM' 196, 'HH' 318, 'the 32 with H' 464)
set label '+0.3 %' at 50,0.284889 noenhanced font ',9' center offset 0,0.6
set label '-1.9 %' at 98,-1.90253 noenhanced font ',9' center offset 0,-0.6
set label '+8.4 %' at 172,8.35146 noenhanced font ',9' center offset 0,0.6
set label '-4.0 %' at 220,-4.02955 noenhanced font ',9' center offset 0,-0.6
set label '+2.4 %' at 294,2.38725 noenhanced font ',9' center offset 0,0.6
set label '-0.9 %' at 342,-0.894339 noenhanced font ',9' center offset 0,-0.6
set label '+3.9 %' at 416,3.89022 noenhanced font ',9' center offset 0,0.6
set label 'lower' at 464,0 noenhanced font ',9' center offset 0,0.6
set label '-2.6 %' at 512,-2.58568 noenhanced font ',9' center offset 0,-0.6
set lmargin at screen 0.160458
set rmargin at screen 0.965616
set terminal svg size 698,440
set output 'dws-fig10b.svg'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig10b.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'conservative', 'dws-fig10b.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'aggressive'
set terminal png size 698,440
set output 'dws-fig10b.png'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'dws-fig10b.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'conservative', 'dws-fig10b.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'aggressive'
