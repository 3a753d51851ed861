BARS = "'simt-fig8.dat' using 2:xtic(1) title columnheader(2), 'simt-fig8.dat' using 3 title columnheader(3), 'simt-fig8.dat' using 4 title columnheader(4), 'simt-fig8.dat' using 5 title columnheader(5)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Speedup over fcfs per kernel (figures 2 and 8)" noenhanced
set ylabel "gain [%]"
set datafile separator tab
set datafile missing '?'
set terminal svg size 1076,480
set output 'simt-fig8.svg'
plot @BARS
set terminal png size 1076,480
set output 'simt-fig8.png'
plot @BARS
