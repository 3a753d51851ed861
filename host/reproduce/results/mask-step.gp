BARS = "'mask-step.dat' using 2:xtic(1) title columnheader(2), 'mask-step.dat' using 3 title columnheader(3), 'mask-step.dat' using 4 title columnheader(4), 'mask-step.dat' using 5 title columnheader(5)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Weighted speedup of MASK over the same with steps of 10 %" noenhanced
set ylabel "gain [%]"
set datafile separator tab
set datafile missing '?'
set terminal svg size 972,480
set output 'mask-step.svg'
plot @BARS
set terminal png size 972,480
set output 'mask-step.png'
plot @BARS
