BARS = "'mask-dram-parts.dat' using 2:xtic(1) title columnheader(2), 'mask-dram-parts.dat' using 3 title columnheader(3)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "Weighted speedup over SharedTLB: the golden queue, and with silver" noenhanced
set ylabel "gain [%]"
set datafile separator tab
set datafile missing '?'
set terminal svg size 686,480
set output 'mask-dram-parts.svg'
plot @BARS
set terminal png size 686,480
set output 'mask-dram-parts.png'
plot @BARS
