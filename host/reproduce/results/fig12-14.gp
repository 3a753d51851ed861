BARS = "'fig12-14.dat' using 2:xtic(1) title columnheader(2), 'fig12-14.dat' using 3 title columnheader(3), 'fig12-14.dat' using 4 title columnheader(4), 'fig12-14.dat' using 5 title columnheader(5), 'fig12-14.dat' using 6 title columnheader(6), 'fig12-14.dat' using 7 title columnheader(7), 'fig12-14.dat' using 8 title columnheader(8)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Weighted speedup over SharedTLB per pair (figures 12-14)" noenhanced
set ylabel "gain [%]"
set datafile separator tab
set datafile missing '?'
set terminal svg size 1800,480
set output 'fig12-14.svg'
plot @BARS
set terminal png size 1800,480
set output 'fig12-14.png'
plot @BARS
