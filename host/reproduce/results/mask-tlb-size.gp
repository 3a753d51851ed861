set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'MASK over SharedTLB by entries of the L2 TLB (section 7.3)' noenhanced
set ylabel 'weighted speedup over SharedTLB [%]' noenhanced
set xrange [0:846]
set yrange [0:4.00545]
set xtics noenhanced scale 0 ('64 entries' 95, '256' 259, '1024' 423, '4096' 587, '8192' 751)
set label 'higher' at 60.5,0 noenhanced font ',9' center offset 0,0.6
set label '+3.8 %' at 129.5,3.7627 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 224.5,0 noenhanced font ',9' center offset 0,0.6
set label '+2.6 %' at 293.5,2.607 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 388.5,0 noenhanced font ',9' center offset 0,0.6
set label '+0.8 %' at 457.5,0.81337 noenhanced font ',9' center offset 0,0.6
set label 'higher' at 552.5,0 noenhanced font ',9' center offset 0,0.6
set label '+1.1 %' at 621.5,1.07603 noenhanced font ',9' center offset 0,0.6
set label 'about 0 %' at 716.5,0 noenhanced font ',9' center offset 0,0.6
set label '+0.8 %' at 785.5,0.789274 noenhanced font ',9' center offset 0,0.6
set lmargin at screen 0.114053
set rmargin at screen 0.97556
set terminal svg size 982,440
set output 'mask-tlb-size.svg'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'mask-tlb-size.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'MASK'
set terminal png size 982,440
set output 'mask-tlb-size.png'
plot keyentry with boxes lc rgb '#C8C8C8' title 'paper, in words', 'mask-tlb-size.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'MASK'
