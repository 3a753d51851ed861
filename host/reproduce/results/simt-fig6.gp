set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Latency of an instruction''s last walk over its first, fcfs (figure 6)' noenhanced
set ylabel 'last-completed / first-completed' noenhanced
set xrange [0:644]
set yrange [0:3.19355]
set xtics noenhanced scale 0 ('XSBench' 50, 'MVT' 124, 'ATAX' 198, 'NW' 272, 'BICG' 346, 'GESUMMV' 420, 'geomean' 570)
set label '1.35' at 50,1.35227 noenhanced font ',9' center offset 0,0.6
set label '1.98' at 124,1.97735 noenhanced font ',9' center offset 0,0.6
set label '1.97' at 198,1.97065 noenhanced font ',9' center offset 0,0.6
set label '1.13' at 272,1.13235 noenhanced font ',9' center offset 0,0.6
set label '1.98' at 346,1.98153 noenhanced font ',9' center offset 0,0.6
set label '1.97' at 420,1.9708 noenhanced font ',9' center offset 0,0.6
set label '2..3 x' at 546,3 noenhanced font ',9' center offset 0,0.6
set label '1.69x' at 594,1.69004 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.14359
set rmargin at screen 0.969231
set terminal svg size 780,440
set output 'simt-fig6.svg'
plot 'simt-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs'
set terminal png size 780,440
set output 'simt-fig6.png'
plot 'simt-fig6.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'simt-fig6.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'fcfs'
