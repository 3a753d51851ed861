set datafile separator tab
set datafile missing '?'
set logscale x
set grid
set key below noenhanced
set ylabel 'weighted speedup'
set y2label 'fairness'
set y2range [0:1]
set ytics nomirror format "%.3g"
set y2tics
set terminal svg size 1100,480
set output 'host/latency/results/latency-walk-fcfs.svg'
set multiplot layout 1,2 title "walk-fcfs on simt, core ibex" noenhanced
set xlabel 'core clock [MHz]'
set xrange [20:2500]
unset arrow
unset label
set autoscale y
set yrange [0.99:1.01]
plot 'host/latency/results/latency-walk-fcfs.dat' index 0 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1 title 'no time' lc rgb 'black', 1 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-walk-fcfs.dat' index 0 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
set xlabel 'bus latency [core cycles] at 500 MHz'
set xrange [4:700]
unset arrow
unset label
set autoscale y
set yrange [0.99:1.01]
plot 'host/latency/results/latency-walk-fcfs.dat' index 1 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1 title 'no time' lc rgb 'black', 1 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-walk-fcfs.dat' index 1 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
unset multiplot
set terminal png size 1100,480
set output 'host/latency/results/latency-walk-fcfs.png'
set multiplot layout 1,2 title "walk-fcfs on simt, core ibex" noenhanced
set xlabel 'core clock [MHz]'
set xrange [20:2500]
unset arrow
unset label
set autoscale y
set yrange [0.99:1.01]
plot 'host/latency/results/latency-walk-fcfs.dat' index 0 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1 title 'no time' lc rgb 'black', 1 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-walk-fcfs.dat' index 0 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
set xlabel 'bus latency [core cycles] at 500 MHz'
set xrange [4:700]
unset arrow
unset label
set autoscale y
set yrange [0.99:1.01]
plot 'host/latency/results/latency-walk-fcfs.dat' index 1 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1 title 'no time' lc rgb 'black', 1 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-walk-fcfs.dat' index 1 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
unset multiplot
