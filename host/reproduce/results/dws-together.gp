BARS = "'dws-together.dat' using 2:xtic(1) title columnheader(2), 'dws-together.dat' using 3 title columnheader(3), 'dws-together.dat' using 4 title columnheader(4), 'dws-together.dat' using 5 title columnheader(5), 'dws-together.dat' using 6 title columnheader(6)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Total IPC over baseline per pair: the papers' mechanisms, alone and together" noenhanced
set ylabel "gain [%]"
set datafile separator tab
set datafile missing '?'
set terminal svg size 1800,480
set output 'dws-together.svg'
plot @BARS
set terminal png size 1800,480
set output 'dws-together.png'
plot @BARS
