BARS = "'dws-fig6.dat' using 2:xtic(1) title columnheader(2), 'dws-fig6.dat' using 3 title columnheader(3), 'dws-fig6.dat' using 4 title columnheader(4)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Fairness per pair (figure 6)" noenhanced
set ylabel "fairness"
set datafile separator tab
set datafile missing '?'
set terminal svg size 1800,480
set output 'dws-fig6.svg'
plot @BARS
set terminal png size 1800,480
set output 'dws-fig6.png'
plot @BARS
