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
set output 'host/latency/results/latency-mask-initial-10.svg'
set multiplot layout 1,2 title "mask-initial-10 on mask, core ibex" noenhanced
set xlabel 'core clock [MHz]'
set xrange [20:2500]
unset arrow
unset label
set autoscale y
set arrow from first 1000, graph 0 to first 1000, graph 1 nohead lc rgb 'red'
set label 'knee: 1000 MHz' at first 1000, graph 0.06 right offset -0.5,0 tc rgb 'red'
set arrow from first 25, graph 0 to first 25, graph 1 nohead lc rgb 'red'
set label 'beyond noise: 25 MHz' at first 25, graph 0.12 left offset 0.5,0 tc rgb 'red'
plot 'host/latency/results/latency-mask-initial-10.dat' index 0 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1.8303 title 'no time' lc rgb 'black', 1.82793 title 'kept at the knee' lc rgb 'orange', 1.78304 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-mask-initial-10.dat' index 0 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
set xlabel 'bus latency [core cycles] at 500 MHz'
set xrange [4:700]
unset arrow
unset label
set autoscale y
set arrow from first 5, graph 0 to first 5, graph 1 nohead lc rgb 'red'
set label 'knee: 5 cycles' at first 5, graph 0.06 left offset 0.5,0 tc rgb 'red'
set arrow from first 500, graph 0 to first 500, graph 1 nohead lc rgb 'red'
set label 'beyond noise: 500 cycles' at first 500, graph 0.12 right offset -0.5,0 tc rgb 'red'
plot 'host/latency/results/latency-mask-initial-10.dat' index 1 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1.8303 title 'no time' lc rgb 'black', 1.82793 title 'kept at the knee' lc rgb 'orange', 1.78304 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-mask-initial-10.dat' index 1 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
unset multiplot
set terminal png size 1100,480
set output 'host/latency/results/latency-mask-initial-10.png'
set multiplot layout 1,2 title "mask-initial-10 on mask, core ibex" noenhanced
set xlabel 'core clock [MHz]'
set xrange [20:2500]
unset arrow
unset label
set autoscale y
set arrow from first 1000, graph 0 to first 1000, graph 1 nohead lc rgb 'red'
set label 'knee: 1000 MHz' at first 1000, graph 0.06 right offset -0.5,0 tc rgb 'red'
set arrow from first 25, graph 0 to first 25, graph 1 nohead lc rgb 'red'
set label 'beyond noise: 25 MHz' at first 25, graph 0.12 left offset 0.5,0 tc rgb 'red'
plot 'host/latency/results/latency-mask-initial-10.dat' index 0 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1.8303 title 'no time' lc rgb 'black', 1.82793 title 'kept at the knee' lc rgb 'orange', 1.78304 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-mask-initial-10.dat' index 0 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
set xlabel 'bus latency [core cycles] at 500 MHz'
set xrange [4:700]
unset arrow
unset label
set autoscale y
set arrow from first 5, graph 0 to first 5, graph 1 nohead lc rgb 'red'
set label 'knee: 5 cycles' at first 5, graph 0.06 left offset 0.5,0 tc rgb 'red'
set arrow from first 500, graph 0 to first 500, graph 1 nohead lc rgb 'red'
set label 'beyond noise: 500 cycles' at first 500, graph 0.12 right offset -0.5,0 tc rgb 'red'
plot 'host/latency/results/latency-mask-initial-10.dat' index 1 using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup', 1.8303 title 'no time' lc rgb 'black', 1.82793 title 'kept at the knee' lc rgb 'orange', 1.78304 title 'no policy' lc rgb 'gray60', 'host/latency/results/latency-mask-initial-10.dat' index 1 using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'
unset multiplot
